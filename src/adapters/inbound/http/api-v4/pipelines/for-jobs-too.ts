import { Type } from '@sinclair/typebox';
import type { JobTokens } from '../../../../../application/pipelines/job-tokens.js';
import type { Actor, UserActor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound, Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { inProject, namedBy } from '../../kit/guards.js';
import type { Guard, GuardContext } from '../../route.js';
import { text } from '../../validation/parameters.js';

export const JOB_TOKEN = Type.Optional(
  text(1_024, 'Of a job of the project that runs, where it isn’t in the header `JOB-TOKEN`', { writeOnly: true }),
);

/** The token of a job that a request brings. */
export const jobTokenOf = (context: GuardContext): string | undefined =>
  context.jobToken ?? namedBy(context, 'job_token');

export interface JobAccess {
  readonly access: WorkspaceAccess;
  readonly jobTokens: JobTokens;
}

/** In whose name something is done. */
export interface Doing {
  readonly doer: Actor;
}

/**
 * For callers who may do this to the project of the path, and for a job of that project while it runs: it may what its user may, and no more
 * than whoever may push to its branch. They decide what it does, and somebody who may more may be the one who runs it.
 */
export const forJobsToo = <P extends ProjectPermission>(
  { access, jobTokens }: JobAccess,
  permission: P,
): Guard<PermittedProject<P> & Doing> => {
  const ordinary = inProject(access, permission);
  return {
    permission,
    decide: async (context) => {
      const token = jobTokenOf(context);
      if (token === undefined || context.actor.kind === 'user')
        return { ...(await ordinary.decide(context)), doer: context.actor };
      const job = await jobTokens.readerBy(token);
      if (job === undefined) throw new Unauthenticated();
      const place = await ordinary.decide({ ...context, actor: job.actor });
      if (place.project.id !== job.projectId) throw new NotFound('Project');
      return { ...place, level: Math.min(place.level, job.level), doer: job.actor };
    },
  };
};

/** The same for what is done in somebody's name. Whoever is not signed in is told so first, whatever the address. */
export const signedInOrJob = <P extends ProjectPermission>(
  parts: JobAccess,
  permission: P,
): Guard<PermittedProject<P> & { readonly doer: UserActor }> => {
  const place = forJobsToo(parts, permission);
  return {
    ...place,
    decide: async (context) => {
      if (context.actor.kind !== 'user' && jobTokenOf(context) === undefined) throw new Unauthenticated();
      const subject = await place.decide(context);
      const { doer } = subject;
      if (doer.kind !== 'user') throw new Unauthenticated();
      return { ...subject, doer };
    },
  };
};
