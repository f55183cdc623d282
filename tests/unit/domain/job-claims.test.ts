import { describe, expect, it } from '@jest/globals';
import { claimsOf } from '../../../src/domain/pipelines/job-claims.js';

const claimed = {
  job: { id: 1, protectedRef: false },
  pipeline: { id: 2, source: 'push', ref: 'main', tag: false, sourceBranch: null, sha: 'a'.repeat(40) },
  project: { id: 3, fullPath: 'g/p', visibility: 'private', namespace: { id: 4, fullPath: 'g' } },
  user: { id: 5, username: 'ada' },
  runner: { id: 6 },
  environment: null,
  action: undefined,
  server: 'https://ci.example',
} as const;

describe('what a signed token says of the CI file', () => {
  it('is its address in the repository of the job, and the commit', () => {
    expect(claimsOf({ ...claimed, configPath: 'ci/main.yml' })).toMatchObject({
      ci_config_ref_uri: 'ci.example/g/p//ci/main.yml@refs/heads/main',
      ci_config_sha: claimed.pipeline.sha,
    });
  });

  it('is nothing where the file is one of another project, whose commit nobody has kept', () => {
    expect(claimsOf({ ...claimed, configPath: 'ci.yml@g/tools:main' })).toMatchObject({
      ci_config_ref_uri: null,
      ci_config_sha: null,
    });
  });
});
