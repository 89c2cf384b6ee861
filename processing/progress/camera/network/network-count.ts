/** Numbers that the network says of a zone: 80 channels by cells of 4 x 3. */
export const NETWORK_COUNT = 80 * 4 * 3;
