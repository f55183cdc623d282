import { ContainerModule } from 'inversify';
import { Advertisement } from '../../adapters/inbound/git/advertisement.js';
import { TakePush } from '../../adapters/inbound/git/take-push.js';
import { createGitHttp } from '../../adapters/inbound/http/git/create-git-http.js';
import { createIdentifyGitCaller } from '../../adapters/inbound/http/git/git-caller.js';
import { SOFTWARE } from './git-over-ssh.js';
import { composeGitPushes } from './git-pushes.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { KEY_TOKENS } from './keys.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

export const gitHttpModule = new ContainerModule(({ bind }) => {
  bind(REPOSITORY_TOKENS.gitHttp).toResolvedValue(
    (
      { advertiseRefs, serveFetch, receivePush },
      { keeper },
      workspace,
      review,
      { authenticate, signIn },
      { deployTokens, machines },
      { jobTokens },
      limitSignIn,
      urls,
      logger,
      config,
    ) => {
      const pushes = composeGitPushes(workspace, review, urls, config);
      return createGitHttp({
        identify: createIdentifyGitCaller({ authenticate, signIn, deployTokens, machines, jobTokens, limitSignIn }),
        gate: pushes.gate,
        advertisement: new Advertisement(advertiseRefs, SOFTWARE),
        serveFetch,
        takePush: new TakePush({ ...pushes, receivePush, cloneUrl: (path) => urls.cloneByHttp(path) }),
        ready: () => keeper.ready(),
        logger,
      });
    },
    [
      REPOSITORY_TOKENS.repositories,
      REPOSITORY_TOKENS.gitStores,
      WORKSPACE_TOKENS.workspace,
      REVIEW_TOKENS.review,
      IDENTITY_TOKENS.identity,
      KEY_TOKENS.keys,
      PIPELINE_TOKENS.pipelines,
      TOKENS.limitSignIn,
      TOKENS.webUrls,
      TOKENS.logger,
      TOKENS.config,
    ],
  );
});
