import type { Assignment } from '../../../../../application/pipelines/give-jobs.js';
import { wantedOf } from '../../../../../domain/pipelines/artifact.js';

/** What a runner is to send once the job has ended; null where that is nothing. */
export const sentArtifacts = ({ job }: Pick<Assignment, 'job'>) => {
  const wanted = wantedOf(job.definition.options.artifacts).map(({ type, format, expireIn, ...what }) => ({
    ...what,
    expire_in: expireIn,
    artifact_type: type,
    artifact_format: format,
  }));
  return wanted.length === 0 ? null : wanted;
};

/** Whose files it fetches before it begins. */
export const sentDependencies = ({ dependencies, token }: Pick<Assignment, 'dependencies' | 'token'>) =>
  dependencies.map(({ id, name, archive }) => ({
    id,
    name,
    token,
    artifacts_file: { filename: archive.fileName, size: archive.size },
  }));
