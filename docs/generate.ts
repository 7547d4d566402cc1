import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractPage } from './contract-page.ts';

writeFileSync(path.join(import.meta.dirname, 'contract.md'), contractPage());
