import { Loading } from '../ui/states.tsx';

/** The Mini Chat window. */
export function MiniChat() {
  return <Loading />;
}
