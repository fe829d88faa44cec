/** Fields: text, numbers, choices, switches. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { classes } from "./classes";
import { outside, understood, written } from "./numbers";

/** A label with what it is of, in one line or one above the other. */
export function Row({ label, for: id, children, hint, stacked }: { label: string; for?: string; children: ComponentChildren; hint?: string; stacked?: boolean }): JSX.Element {
  return (
    <div class={classes("row", stacked && "stacked")}>
      <label for={id} title={hint}>
        {label}
      </label>
      <div class="row-control">{children}</div>
    </div>
  );
}

export interface TextFieldProps {
  label: string;
  value: string;
  /** called when it is left or Enter is pressed; with `live` at every key */
  onChange: (value: string) => void;
  live?: boolean;
  placeholder?: string;
  hideLabel?: boolean;
  disabled?: boolean;
  error?: string | null;
  list?: string[];
  type?: "text" | "search";
  onEnter?: (value: string) => void;
}

/** A line of text. Escape takes back what was typed. */
export function TextField(props: TextFieldProps): JSX.Element {
  const id = useId();
  const [text, setText] = useState(props.value);
  // what was last told: Enter and leaving the field tell the same only once
  const told = useRef(props.value);
  useEffect(() => {
    told.current = props.value;
    setText(props.value);
  }, [props.value]);
  // what stands in the field, which may be newer than what was last drawn
  const commit = (now: string): void => {
    if (props.live || now === told.current) return;
    told.current = now;
    props.onChange(now);
  };
  const input = (
    <>
      <input
        id={id}
        class={classes("input", props.error && "wrong")}
        type={props.type ?? "text"}
        value={text}
        placeholder={props.placeholder}
        disabled={props.disabled}
        aria-label={props.hideLabel ? props.label : undefined}
        aria-invalid={props.error ? true : undefined}
        list={props.list ? `${id}-list` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const value = event.currentTarget.value;
          told.current = props.value;
          setText(value);
          if (props.live) props.onChange(value);
        }}
        onBlur={(event) => commit(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            commit(event.currentTarget.value);
            props.onEnter?.(event.currentTarget.value);
          } else if (event.key === "Escape" && text !== (props.live ? "" : props.value)) {
            setText(props.live ? "" : props.value);
            if (props.live) props.onChange("");
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      />
      {props.list && (
        <datalist id={`${id}-list`}>
          {props.list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {props.error && <p class="field-error">{props.error}</p>}
    </>
  );
  return props.hideLabel ? (
    <div class="field">{input}</div>
  ) : (
    <Row label={props.label} for={id}>
      {input}
    </Row>
  );
}

export interface NumberFieldProps {
  label: string;
  value: number | null;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  unit?: string;
  digits?: number;
  hideLabel?: boolean;
  disabled?: boolean;
  placeholder?: string;
}

/** A number with its unit. Arrow keys change it by a step. What is typed is kept as it is, or stays in the field with the reason why not. */
export function NumberField(props: NumberFieldProps): JSX.Element {
  const id = useId();
  const { min = -Infinity, max = Infinity, step = 1 } = props;
  const digits = props.digits ?? decimals(step);
  // a number that was typed is shown with all its digits, others as many as can be read
  const kept = useRef<number | null>(null);
  const shown = props.value === null ? "" : props.value === kept.current ? written(props.value) : props.value.toFixed(digits);
  const [text, setText] = useState(shown);
  const [error, setError] = useState<string | null>(null);
  const focused = useRef(false);
  useEffect(() => {
    if (focused.current) return;
    setText(shown);
    setError(null);
  }, [shown]);
  // frames, people, seeds: what has neither a unit nor decimals
  const isCount = step >= 1 && !props.digits && !props.unit;
  const typed = (): void => {
    // what is shown is rounded: left as it is, it is not what was meant
    if (text === shown) return setError(null);
    const { value, reason } = understood(text, false, (number) => outside(number, min, max, isCount, props.unit));
    setError(reason);
    if (reason !== null) return;
    kept.current = value;
    if (value !== props.value) props.onChange(value!);
  };
  const takeBack = (): void => {
    setText(shown);
    setError(null);
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
          placeholder={props.placeholder}
          role="spinbutton"
          aria-label={props.hideLabel ? props.label : undefined}
          aria-valuenow={props.value ?? undefined}
          aria-valuemin={Number.isFinite(min) ? min : undefined}
          aria-valuemax={Number.isFinite(max) ? max : undefined}
          aria-invalid={error ? true : undefined}
          aria-errormessage={error ? `${id}-why` : undefined}
          autocomplete="off"
          onFocus={(event) => {
            focused.current = true;
            event.currentTarget.select();
          }}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={() => {
            focused.current = false;
            typed();
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") typed();
            else if (event.key === "Escape" && text !== shown) {
              takeBack();
              event.stopPropagation();
            } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
              const way = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1);
              // a step ends at the bound, as everybody sees
              const next = Math.min(Math.max((props.value ?? 0) + way * step, min), max);
              setText(next.toFixed(digits));
              setError(null);
              if (next !== props.value) props.onChange(next);
              event.preventDefault();
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
      <div class="field">{input}</div>
    </Row>
  );
}

function decimals(step: number): number {
  return step >= 1 ? 0 : Math.min(Math.ceil(-Math.log10(step)), 4);
}

export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  unit?: string;
  format?: (value: number) => string;
  /** at every move */
  onInput?: (value: number) => void;
  /** when it is let go */
  onChange?: (value: number) => void;
  disabled?: boolean;
  hint?: string;
}

/** A slider with its label and its value. */
export function Slider(props: SliderProps): JSX.Element {
  const id = useId();
  const { value, min, max, step = (max - min) / 100 } = props;
  const text = props.format ? props.format(value) : `${value.toFixed(decimals(step))}${props.unit ? `\u202f${props.unit}` : ""}`;
  const share = max > min ? Math.min(Math.max((value - min) / (max - min), 0), 1) : 0;
  return (
    <div class={classes("slider", props.disabled && "disabled")}>
      <label for={id} title={props.hint}>
        {props.label}
      </label>
      <output for={id}>{text}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={props.disabled}
        aria-valuetext={text}
        style={{ "--share": `${share * 100}%` }}
        onInput={(event) => (props.onInput ?? props.onChange)?.(event.currentTarget.valueAsNumber)}
        onChange={(event) => props.onInput && props.onChange?.(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

export interface Option {
  value: string;
  label: string;
  hint?: string;
  disabled?: boolean;
}

/** Options from plain words, or as they are. */
function options(list: readonly (Option | string)[]): Option[] {
  return list.map((option) => (typeof option === "string" ? { value: option, label: option } : option));
}

export interface SelectProps {
  label: string;
  value: string;
  options: readonly (Option | string)[];
  onChange: (value: string) => void;
  hideLabel?: boolean;
  disabled?: boolean;
  /** shown where the value is none of the options */
  placeholder?: string;
}

/** One of several, from a list. */
export function Select(props: SelectProps): JSX.Element {
  const id = useId();
  const list = options(props.options);
  const known = list.some((option) => option.value === props.value);
  const control = (
    <span class="select">
      <select
        id={id}
        value={known ? props.value : ""}
        disabled={props.disabled}
        aria-label={props.hideLabel ? props.label : undefined}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {!known && (
          <option value="" disabled>
            {props.placeholder ?? "Choose…"}
          </option>
        )}
        {list.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} title={option.hint}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
  return props.hideLabel ? (
    control
  ) : (
    <Row label={props.label} for={id}>
      {control}
    </Row>
  );
}

export interface ToggleProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  disabled?: boolean;
  hint?: string;
}

/** On or off. */
export function Toggle({ label, value, onChange, disabled, hint }: ToggleProps): JSX.Element {
  return (
    <label class={classes("toggle", disabled && "disabled")} title={hint}>
      <span>{label}</span>
      <input type="checkbox" role="switch" checked={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <i aria-hidden="true" />
    </label>
  );
}

/** A box to tick, in lists. */
export function Checkbox({ label, value, onChange, disabled, hideLabel }: ToggleProps & { hideLabel?: boolean }): JSX.Element {
  return (
    <label class={classes("checkbox", disabled && "disabled")}>
      <input type="checkbox" checked={value} disabled={disabled} aria-label={label} onChange={(event) => onChange(event.currentTarget.checked)} />
      {!hideLabel && <span>{label}</span>}
    </label>
  );
}

/** One of a few, side by side. Arrow keys go from one to the next, as with any radio group. */
export function Segmented(props: SelectProps): JSX.Element {
  const name = useId();
  const group = (
    <span class="segmented" role="radiogroup" aria-label={props.label}>
      {options(props.options).map((option) => (
        <label key={option.value} class={classes(option.value === props.value && "on", option.disabled && "disabled")} title={option.hint}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === props.value}
            disabled={props.disabled || option.disabled}
            onChange={() => props.onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </span>
  );
  if (props.hideLabel) return group;
  return (
    <div class="row">
      <span class="row-label">{props.label}</span>
      <div class="row-control">{group}</div>
    </div>
  );
}
