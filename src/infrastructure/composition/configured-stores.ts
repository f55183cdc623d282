import { openGitStores, type GitStores } from '../../adapters/outbound/git/open-git-stores.js';
import { createFindAddress } from '../../adapters/outbound/network/find-address.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import type { Config } from '../configuration/config.js';

/** Repositories here, and those elsewhere that may be reached, as the operator has set them up. */
export const openConfiguredStores = (config: Config): GitStores =>
  openGitStores({
    directory: config.repositoriesDirectory,
    binary: config.gitBinary,
    pushLimit: config.gitPushLimitBytes,
    findAddress: createFindAddress(createMayReach(config.outboundAllowlist)),
  });
