/** A number that is kept as it was typed, or refused with a reason: nothing is rounded, nothing is held to bounds in silence. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { classes } from "./classes";
import { Row } from "./fields";
import { written, understood } from "./numbers";

export interface ExactFieldProps {
  label: string;
  value: number | null;
  /** null only where the field may be empty */
  onChange: (value: number | null, byKey: boolean) => void;
  /** of one press of an arrow key */
  step?: number;
  unit?: string;
  /** what nothing stands for; without it there must be a number */
  empty?: string;
  /** why a number cannot be; null: it can */
  refuse?: (value: number) => string | null;
  hideLabel?: boolean;
  disabled?: boolean;
  /** beside the number */
  aside?: ComponentChildren;
}

/** The field. What cannot be taken stays in it, with the reason below; Escape takes it back. */
export function ExactField(props: ExactFieldProps): JSX.Element {
  const id = useId();
  const shown = written(props.value);
  const [text, setText] = useState(shown);
  const [error, setError] = useState<string | null>(null);
  const typed = useRef(false);
  useEffect(() => {
    if (typed.current) return;
    setText(shown);
    setError(null);
  }, [shown]);
  const take = (): void => {
    if (text === shown) return done(null);
    const { value, reason } = understood(text, props.empty !== undefined, props.refuse);
    if (reason) return setError(reason);
    done(value);
    if (value !== props.value) props.onChange(value, false);
  };
  const done = (value: number | null): void => {
    typed.current = false;
    setError(null);
    setText(text === shown ? shown : written(value));
  };
  const input = (
    <>
      <span class="number">
        <input
          id={id}
          class={classes("input", error && "wrong")}
          inputMode="decimal"
          value={text}
          disabled={props.disabled}
          placeholder={props.empty}
          role="spinbutton"
          aria-label={props.hideLabel ? props.label : undefined}
          aria-valuenow={props.value ?? undefined}
          aria-invalid={error ? true : undefined}
          aria-errormessage={error ? `${id}-why` : undefined}
          autocomplete="off"
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            typed.current = true;
            setText(event.currentTarget.value);
          }}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") take();
            else if (event.key === "Escape" && text !== shown) {
              typed.current = false;
              setText(shown);
              setError(null);
              event.stopPropagation();
            } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
              const way = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1);
              const next = Number(((props.value ?? 0) + way * (props.step ?? 1)).toFixed(6));
              event.preventDefault();
              const reason = props.refuse?.(next) ?? null;
              setError(reason);
              typed.current = false;
              if (!reason) props.onChange(next, true);
            }
          }}
        />
        {props.unit && <span class="unit">{props.unit}</span>}
      </span>
      {error && (
        <p class="field-error" id={`${id}-why`} role="alert">
          {error}
        </p>
      )}
    </>
  );
  return props.hideLabel ? (
    <div class="field">{input}</div>
  ) : (
    <Row label={props.label} for={id}>
      {props.aside ? (
        <div class="beside">
          <div class="field">{input}</div>
          {props.aside}
        </div>
      ) : (
        <div class="field">{input}</div>
      )}
    </Row>
  );
}
