import { Type } from '@sinclair/typebox';
import type { PullChanges } from '../../../../../application/mirrors/pull-mirrors.js';
import { given } from '../../kit/given.js';
import type { ParametersOf } from '../../validation/parameters.js';

/** How a project follows a repository elsewhere. */
export const PULL_FIELDS = {
  mirror_trigger_builds: Type.Optional(
    Type.Boolean({ description: 'Whether it is told, and pipelines begin, as after a push' }),
  ),
  only_mirror_protected_branches: Type.Optional(Type.Boolean({ description: 'Whether it gets no other branches' })),
  mirror_overwrites_diverged_branches: Type.Optional(
    Type.Boolean({ description: 'Whether branches and tags that have moved on here give way' }),
  ),
};

/** What is sent of it, where it is sent with the project. */
export type SentPull = ParametersOf<typeof PULL_FIELDS> & {
  readonly mirror?: boolean | undefined;
  readonly import_url?: string | undefined;
};

export const pullChangesIn = (sent: SentPull): PullChanges =>
  given({
    enabled: sent.mirror,
    url: sent.import_url,
    triggersBuilds: sent.mirror_trigger_builds,
    onlyProtectedBranches: sent.only_mirror_protected_branches,
    overwritesDiverged: sent.mirror_overwrites_diverged_branches,
  });
