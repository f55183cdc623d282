import type {
  InvitationReader,
  InvitationRepository,
  NewInvitation,
  PendingInvitation,
} from '../../../../../application/invitations/ports/invitation-ports.js';
import type { Invitation, InvitationPlace, InvitedMembership } from '../../../../../domain/invitations/invitation.js';
import { emailKey } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { toInvitation, type InvitationRow } from './invitation-row.js';

const columnOf = ({ kind, id }: InvitationPlace): object =>
  kind === 'project' ? { project_id: id } : { namespace_id: id };

const columnsOf = ({ inviterId, accessLevel, memberUntil }: InvitedMembership) => ({
  inviter_id: inviterId,
  access_level: accessLevel,
  member_until: memberUntil,
});

/** An invitation that leads nowhere any more. Its row stays until it expires, because the limits count it. */
const ENDED = { project_id: null, namespace_id: null } as const;

export class KnexInvitationRepository implements InvitationRepository {
  constructor(private readonly session: Session) {}

  async add({ address, digest, membership, createdAt, expiresAt }: NewInvitation): Promise<void> {
    const { query, dialect } = this.session;
    const address_key = emailKey(address);
    if (membership !== null)
      await query('invitations').where({ address_key }).andWhere(columnOf(membership.place)).update(ENDED);
    await query('invitations').insert({
      digest,
      address,
      address_key,
      ...(membership === null ? {} : { ...columnOf(membership.place), ...columnsOf(membership) }),
      created_at: dialect.writeInstant(createdAt),
      expires_at: dialect.writeInstant(expiresAt),
    });
  }

  async find(digest: string, now: Date): Promise<Invitation | undefined> {
    const row = await this.#unexpired(digest, now).first();
    return row && toInvitation(row, this.session.dialect);
  }

  async consume(digest: string, now: Date): Promise<Invitation | undefined> {
    const invitation = await this.find(digest, now);
    // Of many who have read it, the one whose deletion counts has it.
    if (invitation === undefined || (await this.#unexpired(digest, now).delete()) === 0) return undefined;
    return invitation;
  }

  async findTo(place: InvitationPlace, address: string, now: Date): Promise<Invitation | undefined> {
    const { query, dialect } = this.session;
    const row = await query('invitations')
      .where({ address_key: emailKey(address) })
      .andWhere(columnOf(place))
      .andWhere('expires_at', '>', dialect.writeInstant(now))
      .first();
    return row && toInvitation(row, dialect);
  }

  async change(id: number, membership: InvitedMembership): Promise<boolean> {
    const found = this.session.query('invitations').where({ id }).andWhere(columnOf(membership.place));
    return (await found.update(columnsOf(membership))) > 0;
  }

  async withdraw(place: InvitationPlace, id: number): Promise<boolean> {
    const found = this.session.query('invitations').where({ id }).andWhere(columnOf(place));
    return (await found.update(ENDED)) > 0;
  }

  async instantsOf(inviterId: UserId, since: Date): Promise<readonly Date[]> {
    const { query, dialect } = this.session;
    const rows = await query('invitations')
      .where({ inviter_id: inviterId })
      .andWhere('created_at', '>', dialect.writeInstant(since))
      .orderBy('created_at', 'desc')
      .select('created_at');
    return rows.map((row) => dialect.readInstant(row.created_at));
  }

  async countTo(address: string, since: Date): Promise<number> {
    const { query, dialect } = this.session;
    const address_key = emailKey(address);
    // The rows that are there can be held, but not those that others are about to add.
    await this.session.hold(`invitations to ${address_key}`);
    const sent = query('invitations').where({ address_key }).andWhere('created_at', '>', dialect.writeInstant(since));
    return (await sent.select('id')).length;
  }

  #unexpired(digest: string, now: Date) {
    const { query, dialect } = this.session;
    return query('invitations')
      .where({ digest })
      .andWhere('expires_at', '>', dialect.writeInstant(now))
      .andWhere((live) => {
        void live.whereNull('inviter_id').orWhereNotNull('project_id').orWhereNotNull('namespace_id');
      });
  }
}

export class KnexInvitationReader implements InvitationReader {
  constructor(private readonly session: Session) {}

  list(place: InvitationPlace, now: Date, page: PageRequest, search = ''): Promise<Page<PendingInvitation>> {
    const { query, dialect } = this.session;
    const list = query('invitations')
      .leftJoin('users', 'users.id', 'invitations.inviter_id')
      .where(place.kind === 'project' ? 'invitations.project_id' : 'invitations.namespace_id', place.id)
      .andWhere('invitations.expires_at', '>', dialect.writeInstant(now))
      .orderBy('invitations.id', 'desc')
      .select('invitations.*', 'users.username');
    // Keys of addresses are those of searched texts.
    if (search !== '') void list.whereRaw("invitations.address_key like ? escape '\\'", [containsPattern(search)]);
    return pageOfRows(this.session, list, page, (row: InvitationRow & { readonly username: string | null }) => ({
      ...toInvitation(row, dialect),
      inviterName: row.username,
    }));
  }
}
