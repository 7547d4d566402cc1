import type { ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';

export interface VersionRow {
  readonly id: string;
  /** Date and time. */
  readonly time: string;
  readonly facts: ReactNode;
  readonly disabled: boolean;
}

/** Earlier versions to choose one of. */
export function VersionList(props: {
  label: string;
  rows: readonly VersionRow[];
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  return (
    <RadioGroup className="versions" value={props.selected} onChange={props.onSelect}>
      <Label className="visually-hidden">{props.label}</Label>
      {props.rows.map(({ id, time, facts, disabled }) => (
        <Radio key={id} value={id} isDisabled={disabled} className="version">
          <span className="version-mark" aria-hidden="true" />
          <span className="version-text">
            <span className="version-time">{time}</span>
            <span className="version-facts">{facts}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
