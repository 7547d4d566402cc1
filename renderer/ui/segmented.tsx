import './segmented.css';
import type { ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';

/** A choice of a few, all of them in sight. Arrow keys go through them. */
export function Segmented<Value extends string>(props: {
  label: string;
  /** Shows the label in front of the choice. */
  showLabel?: boolean;
  value: Value;
  options: readonly { readonly value: Value; readonly label: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  const { label, showLabel = false, value, options, onChange } = props;
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup
      className="segmented-group"
      orientation="horizontal"
      value={value}
      onChange={choose}
      {...(showLabel ? {} : { 'aria-label': label })}
    >
      {showLabel ? <Label className="field-label">{label}</Label> : null}
      <div className="segmented">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className="segment">
            {option.label}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
