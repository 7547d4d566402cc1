import { Loading } from '../ui/states.tsx';

/** The sidebar window. */
export function Sidebar() {
  return <Loading />;
}
