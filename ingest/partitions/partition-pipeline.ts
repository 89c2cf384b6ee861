/** Name of the pipeline of a partition, of its checkpoint and its lease. */
export const partitionPipeline = (journalId: string): string => `partition/${journalId}`;
