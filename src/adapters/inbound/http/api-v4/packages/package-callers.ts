import type { DeployTokens } from '../../../../../application/keys/deploy-tokens.js';
import type { Machines } from '../../../../../application/keys/machines.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { Guard, GuardContext } from '../../route.js';
import { forJobsToo, jobTokenOf, signedInOrJob, type JobAccess } from '../pipelines/for-jobs-too.js';

export interface PackageAccess extends JobAccess {
  readonly deployTokens: Pick<DeployTokens, 'recognize' | 'recognizeSecret'>;
  readonly machines: Pick<Machines, 'packagesOfToken'>;
}

type PackagePermission = 'read_packages' | 'write_packages';

/** A project that a deploy token opens; undefined where the request brings none that counts. */
const openedByDeployToken = async <P extends PackagePermission>(
  { access, deployTokens, machines }: PackageAccess,
  context: GuardContext,
  permission: P,
) => {
  const { actor, path, deployToken } = context;
  if (deployToken === undefined || actor.kind === 'user' || jobTokenOf(context) !== undefined) return undefined;
  const { name, secret } = deployToken;
  const token = await (name === undefined
    ? deployTokens.recognizeSecret(secret)
    : deployTokens.recognize(name, secret));
  if (token === undefined) {
    // Basic may be there for a proxy that stands before the service.
    if (name !== undefined) return undefined;
    throw new Unauthenticated();
  }
  const place = await access.projectForMachine(machines.packagesOfToken(token), path['id'] ?? '', permission);
  return { ...place, token };
};

/** For callers who may read the packages of the project of the path, jobs of it that run, and deploy tokens that open it. */
export const forPackageReaders = (parts: PackageAccess): Guard<PermittedProject<'read_packages'>> => {
  const { permission, decide } = forJobsToo(parts, 'read_packages');
  return {
    ...(permission === undefined ? {} : { permission }),
    decide: async (context) => (await openedByDeployToken(parts, context, 'read_packages')) ?? (await decide(context)),
  };
};

/** The same for who sends files, who is counted under `sender`. */
export const forPackageSenders = (
  parts: PackageAccess,
): Guard<PermittedProject<'write_packages'> & { readonly sender: string }> => {
  const { permission, decide } = signedInOrJob(parts, 'write_packages');
  return {
    ...(permission === undefined ? {} : { permission }),
    decide: async (context) => {
      const opened = await openedByDeployToken(parts, context, 'write_packages');
      if (opened !== undefined) return { ...opened, sender: `deploy token:${opened.token.id}` };
      const place = await decide(context);
      return { ...place, sender: `person:${place.doer.id}` };
    },
  };
};
