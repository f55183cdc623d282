import type { RemoteMirrorReader } from '../../application/mirrors/ports/mirror-ports.js';
import type { RemoteMirrors } from '../../application/mirrors/remote-mirrors.js';
import type { UpdateMirrors } from '../../application/mirrors/update-mirrors.js';
import { token } from './token.js';

/** Repositories elsewhere that get what is pushed here. */
export interface MirrorUseCases {
  readonly remoteMirrors: RemoteMirrors;
  readonly remoteMirrorReader: RemoteMirrorReader;
  readonly updateMirrors: UpdateMirrors;
}

export const MIRROR_TOKENS = {
  mirrors: token<MirrorUseCases>('MirrorUseCases'),
} as const;
