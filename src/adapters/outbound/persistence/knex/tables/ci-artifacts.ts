import type { ArtifactFormat, ArtifactType } from '../../../../../domain/pipelines/artifact.js';
import { bigInteger, code, id, instant, json, key, nullable, reference, table, text } from './table.js';

export const CI_ARTIFACT_TABLES = {
  // Their files lie in a folder.
  ci_artifacts: table({
    key: ['id'],
    size: 'many',
    pruned: [{ kind: 'ended', column: 'due_at' }],
    columns: {
      id,
      job_id: reference('ci_jobs'),
      project_id: reference('projects'),
      type: code<ArtifactType>(),
      format: code<ArtifactFormat>(),
      file_name: text,
      size: bigInteger,
      sha256: text,
      file_key: key,
      expires_at: nullable(instant),
      due_at: nullable(instant),
      created_at: instant,
      variables: nullable(json),
    },
  }),
};
