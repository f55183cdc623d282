import type { Subscriber } from '../shared/domain-events.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';

/** An account has a namespace of its own, which bears its name. @throws Conflict when a group has that path. */
export const namespacesFollowAccounts: Subscriber<{ readonly namespaces: NamespaceRepository }> = async (
  event,
  { namespaces },
) => {
  if (event.kind === 'account_created') {
    const { accountId: ownerId, username, name, at: createdAt } = event;
    await namespaces.addPersonal({ ownerId, username, name, createdAt });
  }
  if (event.kind === 'account_renamed') await namespaces.renamePersonal(event.accountId, event.username, event.name);
};
