import { expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { ciProjectWith } from '../support/ci-project.js';
import { type TakenJob } from '../support/ci-runner.js';
import { describeWriting } from '../support/written-project.js';

const TOKENS = `
variables: { VAULT: 'https://vault.example.com' }
deploy:
  script: deploy
  timeout: 20 minutes
  environment: { name: live, deployment_tier: production }
  id_tokens:
    ONE: { aud: $VAULT }
    SEVERAL: { aud: ['https://a.example.com', 'b $CI_PROJECT_PATH$SECRET$CI_JOB_TOKEN'] }
plain:
  script: x
`;

describeWriting('jobs that prove who they are', (writing) => {
  const tokensOf = ({ variables }: TakenJob) =>
    variables.filter(({ key }) => ['ONE', 'SEVERAL'].includes(key)).map(({ value, ...rest }) => ({ value, ...rest }));
  const keys = () => createRemoteJWKSet(new URL(`${writing.service.url}/oauth/discovery/keys`));

  it('are given a token for each of those whom their file names, hidden in logs, signed by the published key', async () => {
    const { loom, runner, pipeline } = await ciProjectWith(writing, TOKENS);
    await loom.call('POST', '/variables', { key: 'SECRET', value: 'kept-for-jobs', masked: true });
    const taken = await runner.takeNamed('deploy');
    const [one, several] = tokensOf(taken);
    expect([one, several]).toMatchObject([
      { key: 'ONE', masked: true, public: false },
      { key: 'SEVERAL', masked: true, public: false },
    ]);
    const issuer = writing.service.url;
    const audience = 'https://vault.example.com';
    const { payload } = await jwtVerify(one!.value, keys(), { issuer, audience, algorithms: ['RS256'] });
    const path = loom.project.path;
    expect(payload).toMatchObject({
      sub: `project_path:${path}:ref_type:branch:ref:main`,
      aud: audience,
      ...{ project_id: String(loom.id), project_path: path, namespace_path: path.split('/')[0] },
      ...{ user_login: 'ada', pipeline_id: String(pipeline), pipeline_source: 'push', job_id: String(taken.id) },
      ...{ ref: 'main', ref_type: 'branch', ref_path: 'refs/heads/main', ref_protected: 'true' },
      ...{ environment: 'live', environment_action: 'start', deployment_tier: 'production' },
      ...{ runner_id: runner.id, runner_environment: 'self-hosted' },
      ci_config_ref_uri: `${issuer.replace('http://', '')}/${path}//.gitlab-ci.yml@refs/heads/main`,
    });
    // As long as the job may take.
    expect(payload.exp! - payload.iat!).toBe(1_200);
    expect(payload.nbf).toBeLessThanOrEqual(payload.iat!);
    const other = decodeJwt(several!.value);
    // What is kept for the job alone is no part of a name that others read.
    expect(other.aud).toEqual(['https://a.example.com', `b ${path}`]);
    expect(other.jti).not.toBe(payload.jti);
    expect(decodeProtectedHeader(one!.value)).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    expect(tokensOf(await runner.takeNamed('plain'))).toEqual([]);
  });

  it('are of nobody who signs in: no address of ours takes such a token', async () => {
    const { runner } = await ciProjectWith(writing, TOKENS);
    const [one] = tokensOf(await runner.takeNamed('deploy'));
    const headers = { Authorization: `Bearer ${one!.value}` };
    for (const path of ['/api/v4/user', '/oauth/userinfo', '/oauth/token/info']) {
      const answer = await fetch(`${writing.service.url}${path}`, { headers });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});
