import '../trusted-types.ts';
import { startWindow } from '../ui/window-root.tsx';
import { MiniChat } from './app.tsx';

startWindow(<MiniChat />);
