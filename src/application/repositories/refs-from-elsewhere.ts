import {
  foldersAbove,
  isRefName,
  looksLikeFullRef,
  looksLikeObjectId,
  refPartsOf,
} from '../../domain/repositories/ref-name.js';
import { RemoteProblem, type RemoteRefs } from './ports/remotes.js';

/** As many as a push may have. */
const MOST_REFS = 1_000;

const TOO_MANY = `The repository has more than ${MOST_REFS} branches and tags.`;
const HOSTILE = 'The names of its branches and tags can’t stand beside each other.';

/** Whether a push could bring a branch or a tag of this name. */
const isFit = (ref: string): boolean => {
  const { kind, name = '' } = (isRefName(ref) ? refPartsOf(ref) : undefined) ?? {};
  if (kind === undefined || looksLikeObjectId(name)) return false;
  return kind === 'tag' || !looksLikeFullRef(name);
};

/** Branches and tags of names that a push could bring. @throws RemoteProblem. */
export const fitting = ({ refs, head }: RemoteRefs): RemoteRefs => {
  const fit = new Map([...refs].filter(([name]) => isFit(name)));
  if (fit.size > MOST_REFS) throw new RemoteProblem(TOO_MANY, false);
  for (const name of fit.keys())
    if (foldersAbove(name).some((folder) => fit.has(folder))) throw new RemoteProblem(HOSTILE, false);
  return { refs: fit, head };
};
