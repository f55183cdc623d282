import { beginRun } from './begin-run.ts';
import { makeQuickDirectory } from './run-directory.ts';

export default (): Promise<void> => beginRun(makeQuickDirectory());
