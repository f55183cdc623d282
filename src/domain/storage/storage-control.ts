/** What a database is to the installation: it serves, it is being filled, or the installation has left it. */
export type StorageRole = 'primary' | 'target' | 'left';

/**
 * Of a source, which serves meanwhile: `copying`; `holding` once everything is there and the operator wants to say when; `cutting` once
 * they have. Of a target: `filling` until every row is there, `following` while it takes over what changes, and `ready` from then on.
 * Of one that was left: `emptied` once its rows were removed. Of one that serves: `given up` where its last move ended so.
 */
export type MoveState = SourceState | 'filling' | 'following' | 'ready' | 'emptied' | 'given up';
/** In their order. */
export const SOURCE_STATES = ['copying', 'holding', 'cutting'] as const;
type SourceState = (typeof SOURCE_STATES)[number];

const isSourceState = (state: MoveState | undefined): boolean => SOURCE_STATES.some((each) => each === state);

/** What a process that serves says during a move: it could go over, it can't, or it did. */
export type NodeState = 'standing by' | 'unable' | 'over';

/** What a database says of itself. Only a primary takes writes. */
export interface StorageControl {
  readonly role: StorageRole;
  readonly epoch: number;
  /** The move that it takes or took part in. */
  readonly move: string | undefined;
  readonly state: MoveState | undefined;
  /** The other database of that move, without its password. */
  readonly peer: string | undefined;
  /** Of a source, the address of the other database, sealed; also of a target that had been a source, and was emptied. */
  readonly sealedSuccessor: string | undefined;
}

/** Of a database that never took part in a move. */
export const UNTOUCHED: StorageControl = {
  role: 'primary',
  epoch: 0,
  move: undefined,
  state: undefined,
  peer: undefined,
  sealedSuccessor: undefined,
};

const ARCHIVE = 'the archive ';

/** How a database that is filled from an archive calls it. */
export const archivePeer = (file: string): string => `${ARCHIVE}${file}`;

/** Whether a database is being filled from an archive, which nobody else knows of. */
export const isRestoring = ({ role, peer }: StorageControl): boolean =>
  role === 'target' && peer?.startsWith(ARCHIVE) === true;

/** Whether a database serves while it is being moved. */
export const isMoving = ({ role, state }: StorageControl): boolean => role === 'primary' && isSourceState(state);

/** Whether a database was left, and has no rows any more: it can be filled again, and nobody serves from it until then. */
export const isEmptied = ({ role, state }: StorageControl): boolean => role === 'left' && state === 'emptied';

/** Why nobody may serve from a database, as a sentence; undefined where they may. */
export const refusalToServe = (control: StorageControl): string | undefined => {
  const { role, move = '', peer = '' } = control;
  if (isEmptied(control))
    return `DATABASE_URL names a database that was emptied after its installation moved to ${peer}: set DATABASE_URL to that one. Only a move or a restore fills this one again.`;
  if (role === 'left')
    return `DATABASE_URL names a database that was left for ${peer}: set DATABASE_URL to that one, or run "gatehouse storage reopen" to go back.`;
  if (role === 'target')
    return `This database is being filled from ${peer} (${move}), and that has not ended: run the same command again, or give it up by "gatehouse storage abort".`;
  return undefined;
};

/** Whether a database is what another one was left for: it serves, was left in turn, or has only its last mark to get. */
export const isSuccessorOf = (to: StorageControl, from: StorageControl): boolean =>
  to.role === 'target' ? to.state === 'ready' && to.move === from.move : to.epoch > from.epoch;

export interface Journey {
  readonly move: string;
  readonly peer: string;
  readonly sealedSuccessor: string;
}

/** The source, from the first moment of a move: it serves on, and notes what changes. */
export const asSource = ({ epoch }: StorageControl, journey: Journey): StorageControl => ({
  role: 'primary',
  epoch,
  state: 'copying',
  ...journey,
});

/** The target, until the source was left. One that had been emptied keeps what it was left for, in case the move is given up. */
export const asTarget = ({ epoch, sealedSuccessor }: StorageControl, move: string, peer: string): StorageControl => ({
  role: 'target',
  epoch,
  move,
  state: 'filling',
  peer,
  sealedSuccessor,
});

/** What decides: from here on the target is the one. */
export const left = (control: StorageControl): StorageControl => ({ ...control, role: 'left', state: undefined });

/** Has no rows, and still says where they are: whoever starts with it would find a new, empty installation otherwise. */
export const emptied = (control: StorageControl): StorageControl => ({ ...control, role: 'left', state: 'emptied' });

/** Serves on, and no run of the move may go on; what was added for the move is still there. */
export const givenUp = (control: StorageControl): StorageControl => ({ ...control, state: undefined });

/** Whether somebody began to give up its move, and did not come to the end of that. */
export const isGivenUp = ({ role, state, sealedSuccessor }: StorageControl): boolean =>
  role === 'primary' && state === undefined && sealedSuccessor !== undefined;

/** Serves, and its last move led nowhere. */
export const servingOn = (control: StorageControl): StorageControl => ({ ...serving(control), state: 'given up' });

/** Serves, and is not being moved. */
export const serving = (control: StorageControl, epoch = control.epoch): StorageControl => ({
  ...control,
  role: 'primary',
  epoch,
  state: undefined,
  sealedSuccessor: undefined,
});
