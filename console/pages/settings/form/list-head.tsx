interface ListHeadProps {
  /** What the list is of. */
  readonly hint: string;
  readonly newLabel: string;
  /** Whether the key may make one. */
  readonly mayMake: boolean;
  readonly onNew: () => void;
}

/** Above a list: what is in it, and a button that makes a new one. */
export function ListHead({ hint, newLabel, mayMake, onNew }: ListHeadProps) {
  return (
    <div class="set-head">
      <p class="muted">{hint}</p>
      {mayMake ? (
        <button type="button" class="main" onClick={onNew}>
          {newLabel}
        </button>
      ) : null}
    </div>
  );
}
