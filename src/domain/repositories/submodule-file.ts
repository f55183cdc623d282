import { foldForFileSystems } from './tree-path.js';

/** A setting whose value git would take for an option or a command. */
const HOSTILE_VALUE = /(?:url|path|update)\s*=[\s"'\\]*(?:(?:\.{1,2}\/)*-|!)/i;
const ADDRESS = /url\s*=/i;
/** A line end, which would end up in what helpers of git are told. */
const LINE_END = /%0a|\\n/i;
const NAME = /submodule\s*"([^"]*)"/gi;
const SHORT_NAMES = /^(?:gitmod~\d+|gi7eba~\d+)$/;

/** Whether a path ends in a name that some file system takes for `.gitmodules`. */
export const isSubmoduleFile = (path: string): boolean => {
  const name = foldForFileSystems(path.split('/').at(-1) ?? '');
  return name === '.gitmodules' || SHORT_NAMES.test(name);
};

/** Whether such a file would make git run or overwrite what its author wants: a push of it is refused by `git fsck`. */
export const isHostileSubmoduleFile = (content: string): boolean => {
  // A line may go on in the next one.
  const text = content.replace(/\\\r?\n/g, '');
  if (HOSTILE_VALUE.test(text)) return true;
  if (text.split('\n').some((line) => ADDRESS.test(line) && LINE_END.test(line))) return true;
  // A name that leads out of the folder of submodules.
  return [...text.matchAll(NAME)].some(([, name = '']) => name.split(/[/\\]/).includes('..'));
};
