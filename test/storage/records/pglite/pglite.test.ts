import { describeRecordStore } from "../../../contracts/record-store.ts";
import { PGLITE } from "../../../support/databases.ts";

describeRecordStore(PGLITE);
