import '../trusted-types.ts';
import { startWindow } from '../ui/window-root.tsx';
import { Sidebar } from './app.tsx';

startWindow(<Sidebar />);
