import { beginRun } from './begin-run.ts';
import { makeDirectoryOnDisk } from './run-directory.ts';

/** For what measures, or kills: commits wait for a disk there as they do elsewhere. */
export default (): Promise<void> => beginRun(makeDirectoryOnDisk());
