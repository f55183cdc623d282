/** What a database is to the installation: it serves, it is being filled, or the installation has left it. */
export type StorageRole = 'primary' | 'target' | 'left';

/** Of a source: `moving`. Of a target: `filling` until every row is there, and `ready` from then on. */
export type MoveState = 'moving' | 'filling' | 'ready';

/** What a database says of itself. Only a primary that is not being moved takes writes. */
export interface StorageControl {
  readonly role: StorageRole;
  readonly epoch: number;
  /** The move that it takes or took part in. */
  readonly move: string | undefined;
  readonly state: MoveState | undefined;
  /** The other database of that move, without its password. */
  readonly peer: string | undefined;
}

/** Of a database that never took part in a move. */
export const UNTOUCHED: StorageControl = {
  role: 'primary',
  epoch: 0,
  move: undefined,
  state: undefined,
  peer: undefined,
};

const ARCHIVE = 'the archive ';

/** How a database that is filled from an archive calls it. */
export const archivePeer = (file: string): string => `${ARCHIVE}${file}`;

/** Whether a database is being filled from an archive, which nobody else knows of. */
export const isRestoring = ({ role, peer }: StorageControl): boolean =>
  role === 'target' && peer?.startsWith(ARCHIVE) === true;

/** Why nobody may serve from a database, as a sentence; undefined where they may. */
export const refusalToServe = ({ role, state, move = '', peer = '' }: StorageControl): string | undefined => {
  if (role === 'left')
    return `DATABASE_URL names a database that was left for ${peer}: set DATABASE_URL to that one, or run "gatehouse storage reopen" to go back.`;
  if (role === 'target')
    return `This database is being filled from ${peer} (${move}), and that has not ended: run the same command again, or give it up by "gatehouse storage abort".`;
  if (state === 'moving')
    return `This database is being moved to ${peer} (${move}): run "gatehouse storage move" again to finish it, or "gatehouse storage abort" to stay.`;
  return undefined;
};

/** The source, from the first moment of a move: nobody writes there. */
export const asSource = ({ epoch }: StorageControl, move: string, peer: string): StorageControl => ({
  role: 'primary',
  epoch,
  move,
  state: 'moving',
  peer,
});

/** The target, until the source was left. */
export const asTarget = ({ epoch }: StorageControl, move: string, peer: string): StorageControl => ({
  role: 'target',
  epoch,
  move,
  state: 'filling',
  peer,
});

/** What decides: from here on the target is the one. */
export const left = (control: StorageControl): StorageControl => ({ ...control, role: 'left', state: undefined });

/** Serves, and is not being moved. */
export const serving = (control: StorageControl, epoch = control.epoch): StorageControl => ({
  ...control,
  role: 'primary',
  epoch,
  state: undefined,
});
