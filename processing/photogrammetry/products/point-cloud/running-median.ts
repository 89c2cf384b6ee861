/** About the median of the last few values. */
export interface RunningMedian {
  value(): number;
  add(value: number): void;
}

/** LASzip's median of five: values come in at the side of the middle that the last one did not. */
export function createRunningMedian(): RunningMedian {
  const v = new Int32Array(5);
  let isHigh = true;
  const at = (i: number) => v[i] ?? 0;
  return {
    value: () => at(2),
    add(value) {
      if (isHigh) {
        if (value < at(2)) {
          v.copyWithin(3, 2, 4);
          if (value < at(0)) {
            v.copyWithin(1, 0, 2);
            v[0] = value;
          } else if (value < at(1)) {
            v[2] = at(1);
            v[1] = value;
          } else v[2] = value;
        } else {
          if (value < at(3)) {
            v[4] = at(3);
            v[3] = value;
          } else v[4] = value;
          isHigh = false;
        }
      } else if (at(2) < value) {
        v.copyWithin(0, 1, 3);
        if (at(4) < value) {
          v.copyWithin(2, 3, 5);
          v[4] = value;
        } else if (at(3) < value) {
          v[2] = at(3);
          v[3] = value;
        } else v[2] = value;
      } else {
        if (at(1) < value) {
          v[0] = at(1);
          v[1] = value;
        } else v[0] = value;
        isHigh = true;
      }
    },
  };
}
