/** Why a definition cannot be used, to follow its name: "has the projection igh, which is not known". */
export interface Problem {
  readonly problem: string;
}

export const isProblem = (result: object): result is Problem => "problem" in result;
