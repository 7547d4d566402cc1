import { CornerDownLeft } from 'lucide-react';
import { ToggleButton, TooltipTrigger } from 'react-aria-components';
import type { ComposerMode } from '../../src/contract/index.ts';
import { useStore } from '../state/store.ts';
import { shortcutLabel } from '../ui/keys.ts';
import { Tip } from '../ui/tooltip.tsx';
import { EnterButton } from './composer-foot.tsx';
import { focusComposer } from './focus.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { ModeMenu } from './mode-menu.tsx';
import { texts } from './strings.ts';

/** Below a search: where it looks, how much it found, and the button that shows an entry. */
export function FindFoot({ onChoose, onShow }: { onChoose: (mode: ComposerMode) => void; onShow: () => void }) {
  const { search } = useMiniChat();
  const { answer, active } = useStore(search.finding);
  const total = answer === null ? null : answer.counts.notes + answer.counts.todos + answer.counts.plans;
  return (
    <div className="composer-foot">
      <ModeMenu mode="find" commanded={false} onChoose={onChoose} onFind={() => search.begin(search.everywhere)} />
      <TooltipTrigger delay={500} closeDelay={0}>
        <ToggleButton
          className="chip chip-toggle"
          isSelected={search.everywhere}
          onChange={(everywhere) => {
            search.setEverywhere(everywhere);
            focusComposer();
          }}
        >
          {texts.find.everywhere}
        </ToggleButton>
        <Tip text={texts.find.everywhereHint} shortcut={shortcutLabel('mod+shift+F')} />
      </TooltipTrigger>
      <div className="composer-hint">
        <span id="composer-hint" className="counter">
          {total === null ? '' : texts.find.total(total)}
        </span>
      </div>
      <EnterButton label={texts.find.show} isIdle={active === null} onPress={onShow}>
        <CornerDownLeft size={15} aria-hidden="true" />
      </EnterButton>
    </div>
  );
}
