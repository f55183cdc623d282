import type { RemoteMirrorReader } from '../../application/mirrors/ports/mirror-ports.js';
import type { PullMirrorReader } from '../../application/mirrors/ports/pull-mirror-ports.js';
import type { PullMirrors } from '../../application/mirrors/pull-mirrors.js';
import type { RemoteMirrors } from '../../application/mirrors/remote-mirrors.js';
import type { UpdateMirrors } from '../../application/mirrors/update-mirrors.js';
import type { UpdatePullMirrors } from '../../application/mirrors/update-pull-mirrors.js';
import { token } from './token.js';

/** Repositories elsewhere that get what is pushed here, or that projects follow. */
export interface MirrorUseCases {
  readonly remoteMirrors: RemoteMirrors;
  readonly remoteMirrorReader: RemoteMirrorReader;
  readonly updateMirrors: UpdateMirrors;
  readonly pullMirrors: PullMirrors;
  readonly pullMirrorReader: PullMirrorReader;
  readonly updatePullMirrors: UpdatePullMirrors;
}

export const MIRROR_TOKENS = {
  mirrors: token<MirrorUseCases>('MirrorUseCases'),
} as const;
