/** Of a limit: the record whose figure would break its bound. Of a blocker: how many records stand against it, and the first of them. */
export type ProblemDetail =
  | {
      readonly resource: string;
      readonly id: string;
      readonly label: string;
      readonly figure: string | null;
      readonly bound: string | null;
      /** Of an amount, empty where it is not known; null or left out for other figures. */
      readonly currency?: string | null;
    }
  | {
      readonly count: number;
      readonly records: readonly { readonly resource: string; readonly id: string; readonly label: string }[];
    };
