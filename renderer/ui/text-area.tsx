import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { isComposing } from './keys.ts';
import { strings } from './strings.ts';

export interface TextAreaProps {
  /** Id of the field itself. */
  id?: string;
  /** Accessible name; shown above the field with `showLabel`. */
  label: string;
  showLabel?: boolean;
  value: string;
  onChange: (text: string) => void;
  /** Most UTF-16 code units; typing stops there. Text that is longer already can still be shortened. */
  limit: number;
  /** Asked for by the key that `submitOn` names; never while an input method is composing. */
  onSubmit?: () => void;
  submitOn?: 'enter' | 'mod-enter';
  onCancel?: () => void;
  onComposition?: (composing: boolean) => void;
  onBlur?: () => void;
  placeholder?: string;
  hint?: string;
  autoFocus?: boolean;
  readOnly?: boolean;
  rows?: number;
  /** Leaves the counter out, where the limit is not one of the whole text. */
  countHidden?: boolean;
}

/** A text area that grows with its text, counts it, and whose Enter is safe for input methods. */
export function TextArea(props: TextAreaProps) {
  const { label, value, limit, hint, submitOn = 'mod-enter' } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const startsFocused = useRef(props.autoFocus ?? false);
  useEffect(() => {
    // Writing goes on where the text ends.
    if (startsFocused.current) field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const modified = event.ctrlKey || event.metaKey;
    const wanted = submitOn === 'enter' ? !event.shiftKey && !event.altKey : modified;
    if (event.key === 'Enter' && wanted && props.onSubmit) {
      event.preventDefault();
      props.onSubmit();
    }
    if (event.key === 'Escape' && props.onCancel) {
      event.preventDefault();
      event.stopPropagation();
      props.onCancel();
    }
  };
  return (
    <div className="field">
      {props.showLabel ? (
        <span className="field-label" aria-hidden="true">
          {label}
        </span>
      ) : null}
      <textarea
        ref={field}
        id={props.id}
        className="text-area"
        aria-label={label}
        aria-describedby={`${id}-foot`}
        dir="auto"
        value={value}
        maxLength={Math.max(limit, value.length)}
        rows={props.rows ?? 2}
        style={{ minHeight: `calc(${props.rows ?? 2}lh + 1rem)` }}
        placeholder={props.placeholder}
        readOnly={props.readOnly}
        // biome-ignore lint/a11y/noAutofocus: only set where the person has just asked for this field
        autoFocus={props.autoFocus}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onCompositionStart={() => props.onComposition?.(true)}
        onCompositionEnd={() => props.onComposition?.(false)}
        onBlur={props.onBlur}
      />
      <div className="field-foot" id={`${id}-foot`}>
        <span className="field-hint">{hint}</span>
        {props.countHidden ? null : <Counter length={value.length} limit={limit} />}
      </div>
    </div>
  );
}

/** How much of the limit is used; says so in words once little is left. */
export function Counter({ length, limit }: { length: number; limit: number }) {
  const left = limit - length;
  if (length === 0) return null;
  return (
    <span className={left <= 0 ? 'counter counter-full' : 'counter'}>
      {left <= 0 ? strings.common.full(length, limit) : strings.common.count(length, limit)}
    </span>
  );
}
