import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { TextField as AriaTextField, FieldError, Input, Label, Text } from 'react-aria-components';
import { isComposing } from './keys.ts';

export interface TextFieldProps {
  /** Id of the input itself. */
  id?: string;
  /** Accessible name, shown above the field unless `hideLabel`. */
  label: string;
  hideLabel?: boolean;
  value: string;
  onChange: (text: string) => void;
  onSubmit?: () => void;
  onCancel?: () => void;
  onComposition?: (composing: boolean) => void;
  onBlur?: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  placeholder?: string;
  hint?: ReactNode;
  error?: string | null;
  limit?: number;
  autoFocus?: boolean;
  /** With `autoFocus`: whether what is there is selected, to be typed over. */
  selectAll?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A field of one line: Enter submits, Escape cancels, neither while an input method is composing. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, value, onChange, hint, error = null } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter' && props.onSubmit) {
      event.preventDefault();
      event.stopPropagation();
      props.onSubmit();
    } else if (event.key === 'Escape' && props.onCancel) {
      event.preventDefault();
      event.stopPropagation();
      props.onCancel();
    } else props.onKeyDown?.(event);
  };
  return (
    <AriaTextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={error !== null}
      autoFocus={props.autoFocus ?? false}
      {...(props.id === undefined ? {} : { id: props.id })}
      {...(hideLabel ? { 'aria-label': label } : {})}
      {...(props.limit === undefined ? {} : { maxLength: Math.max(props.limit, value.length) })}
    >
      {hideLabel ? null : <Label className="field-label">{label}</Label>}
      <Input
        ref={props.ref ?? null}
        className="input"
        dir="auto"
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        onKeyDown={onKeyDown}
        onCompositionStart={() => props.onComposition?.(true)}
        onCompositionEnd={() => props.onComposition?.(false)}
        onFocus={(event) => {
          if (props.selectAll) event.currentTarget.select();
        }}
        onBlur={() => props.onBlur?.()}
      />
      {hint ? (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      ) : null}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}
