import type { MemoryTitle } from '../../../src/contract/index.ts';
import { useMemoryEntry } from '../../state/memory-hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { memoryTexts as texts } from './strings.ts';

/** What is remembered already and says nearly the same: the person chooses what becomes of both. */
export function Similar(props: {
  ownerId: string | null;
  entries: readonly MemoryTitle[];
  isDisabled: boolean;
  onReplace: (id: string) => void;
  onKeepBoth: () => void;
  onBack: () => void;
}) {
  const { ownerId, entries, isDisabled } = props;
  return (
    <Banner
      kind="info"
      actions={
        <>
          <Button small isDisabled={isDisabled} onPress={props.onKeepBoth}>
            {texts.keepBoth}
          </Button>
          <Button small kind="quiet" onPress={props.onBack}>
            {texts.backToText}
          </Button>
        </>
      }
    >
      <p>
        <strong>{texts.similarTitle(entries.length)}.</strong> {texts.similarText}
      </p>
      <ul className="memory-similar">
        {entries.map((entry) => (
          <li key={entry.id}>
            <SimilarText ownerId={ownerId} entry={entry} />
            <Button
              small
              isDisabled={isDisabled}
              aria-label={texts.replaceOf(plainTitle(entry.title))}
              onPress={() => props.onReplace(entry.id)}
            >
              {texts.replaceOne}
            </Button>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function SimilarText({ ownerId, entry }: { ownerId: string | null; entry: MemoryTitle }) {
  const { value } = useMemoryEntry(ownerId, entry.id);
  return (
    <div className="memory-similar-text">
      <p className="memory-similar-title">
        <UserText text={entry.title} />
      </p>
      {value === null ? null : <UserText text={value.body} as="block" />}
    </div>
  );
}
