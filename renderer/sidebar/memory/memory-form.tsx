import { memoryLimits } from '../../../src/contract/index.ts';
import { type MemoryFields, memoryTypes } from '../../state/memory-fields.ts';
import { shortcutLabel } from '../../ui/keys.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { memoryTexts as texts } from './strings.ts';

const typeOptions = memoryTypes.map((type) => ({ value: type, label: texts.types[type] }));

/** The fields of a memory. Typing stops at the limits; what is longer already can be shortened. */
export function MemoryForm(props: {
  /** Id of the title's field. */
  id?: string;
  fields: MemoryFields;
  autoFocus: boolean;
  onChange: (fields: MemoryFields) => void;
  onSubmit: () => void;
  onCancel: () => void;
  onComposition?: (composing: boolean) => void;
}) {
  const { fields, onChange, onSubmit, onCancel } = props;
  const heard = props.onComposition ? { onComposition: props.onComposition } : {};
  return (
    <>
      <TextField
        {...(props.id === undefined ? {} : { id: props.id })}
        label={texts.title}
        placeholder={texts.titlePlaceholder}
        limit={memoryLimits.title}
        autoFocus={props.autoFocus}
        value={fields.title}
        onChange={(title) => onChange({ ...fields, title })}
        onSubmit={onSubmit}
        onCancel={onCancel}
        {...heard}
      />
      <TextArea
        label={texts.body}
        showLabel
        placeholder={texts.bodyPlaceholder}
        hint={texts.hintKeys(shortcutLabel('mod+Enter'))}
        limit={memoryLimits.body}
        rows={3}
        value={fields.body}
        onChange={(body) => onChange({ ...fields, body })}
        onSubmit={onSubmit}
        onCancel={onCancel}
        {...heard}
      />
      <Segmented
        label={texts.type}
        showLabel
        value={fields.type}
        options={typeOptions}
        onChange={(type) => onChange({ ...fields, type })}
      />
    </>
  );
}
