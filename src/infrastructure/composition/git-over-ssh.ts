import type { Clock } from '../../application/shared/ports/clock.js';
import type { Logger } from '../../application/shared/ports/logger.js';
import { Advertisement } from '../../adapters/inbound/git/advertisement.js';
import { TakePush } from '../../adapters/inbound/git/take-push.js';
import type { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import { GitConversation } from '../../adapters/inbound/ssh/git-conversation.js';
import { SshCallers } from '../../adapters/inbound/ssh/ssh-caller.js';
import type { SshServer } from '../../adapters/inbound/ssh/ssh-server.js';
import { keyFingerprints } from '../../adapters/outbound/security/key-fingerprints.js';
import { VERSION } from '../version.js';
import type { Config } from '../configuration/config.js';
import { composeGitPushes } from './git-pushes.js';
import type { KeyUseCases } from './keys.tokens.js';
import type { RepositoryUseCases } from './repositories.tokens.js';
import type { ReviewUseCases } from './review.tokens.js';
import type { WorkspaceUseCases } from './workspace.tokens.js';

/** As clients of git see it. */
export const SOFTWARE = `gatehouse/${VERSION}`;

/** Makes the server when it is wanted: what it needs is loaded, and its keys are made, by services that serve git over SSH. */
export const composeSshServer =
  (
    { advertiseRefs, serveFetch, receivePush }: RepositoryUseCases,
    workspace: WorkspaceUseCases,
    review: Pick<ReviewUseCases, 'pushedBranches' | 'applyPushOptions'>,
    { machines, keyReader, keyUses, hostKeys }: KeyUseCases,
    clock: Clock,
    urls: WebUrls,
    logger: Logger,
    config: Config,
  ) =>
  async (): Promise<SshServer> => {
    const { SshServer: Server } = await import('../../adapters/inbound/ssh/ssh-server.js');
    const pushes = composeGitPushes(workspace, review, urls, config);
    const cloneUrl = (path: string) => urls.cloneBySsh(path);
    const takePush = new TakePush({ ...pushes, receivePush, cloneUrl });
    const advertisement = new Advertisement(advertiseRefs, SOFTWARE);
    const parts = { keys: keyReader, fingerprints: keyFingerprints, machines, uses: keyUses, clock };
    return new Server({
      hostKeys: await hostKeys.all(),
      software: SOFTWARE.replace('/', '_'),
      callers: new SshCallers(parts),
      conversation: new GitConversation({ gate: pushes.gate, advertisement, serveFetch, takePush, cloneUrl }),
      logger,
    });
  };
