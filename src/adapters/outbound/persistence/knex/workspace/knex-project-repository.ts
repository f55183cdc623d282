import type {
  HeldProject,
  NewProject,
  ProjectChanges,
  ProjectRepository,
} from '../../../../../application/workspace/ports/workspace-repositories.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { PROJECT_FEATURES } from '../../../../../domain/workspace/project-features.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { claimPath, keepFormerPath } from './former-paths.js';
import { isAtPath } from './is-at-path.js';
import { tryToLockTrees, untilHeld } from './namespace-trees.js';
import type { RowOf } from '../tables.js';
import { featureColumn, toFeatures } from './workspace-rows.js';

const TAKEN = ['has already been taken'];

/** Of those who come at once an index refuses all but one, and names what it is of. */
const REFUSALS = {
  projects_full_path_key_unique: () => new Invalid({ path: TAKEN }),
  projects_namespace_id_name_key_unique: () => new Invalid({ name: TAKEN }),
};

export class KnexProjectRepository implements ProjectRepository {
  constructor(private readonly session: Session) {}

  async add(project: NewProject): Promise<ProjectId> {
    const at = this.session.dialect.writeInstant(project.createdAt);
    const named = await this.#named(project.namespaceId, project);
    await this.#requireFree(project.namespaceId, named);
    const insert = this.session
      .query('projects')
      .insert({
        ...named,
        namespace_id: project.namespaceId,
        description: project.description,
        visibility: project.visibility,
        default_branch: project.defaultBranch,
        archived: false,
        merge_when_pipeline_succeeds: project.mergeWhenPipelineSucceeds,
        ci_config_path: project.ciConfigPath ?? null,
        request_access_enabled: project.requestAccessEnabled ?? true,
        creator_id: project.creatorId,
        created_at: at,
        updated_at: at,
        last_activity_at: at,
        ...mergeColumns(project.merging),
        ...featureColumns(project.features),
      })
      .returning('id');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    await claimPath(this.session, named.full_path);
    await this.#setTopics(row!.id, project.topics);
    return row!.id;
  }

  async take(id: ProjectId, target?: NamespaceId): Promise<HeldProject | undefined> {
    const { row } = await untilHeld(this.session, () => this.#tryToTake(id, target));
    return (
      row && {
        namespaceId: row.namespace_id,
        fullPath: row.full_path,
        visibility: row.visibility,
        features: toFeatures(row),
      }
    );
  }

  /** Nothing where it was moved while this work waited. */
  async #tryToTake(id: ProjectId, target?: NamespaceId): Promise<{ readonly row?: RowOf<'projects'> } | undefined> {
    const { query, dialect } = this.session;
    const place = (await this.#find(id))?.namespace_id;
    if (place === undefined) return {};
    if (!(await tryToLockTrees(this.session, target === undefined ? [place] : [place, target]))) return undefined;
    const [row] = await dialect.lockRows(query('projects').where({ id }).whereNull('removal_requested_at'));
    return row?.namespace_id === place ? { row } : undefined;
  }

  async update(id: ProjectId, changes: ProjectChanges, at: Date): Promise<void> {
    const before = await this.#find(id);
    if (before === undefined) throw new NotFound('Project');
    const { name, path, description, visibility } = { ...before, ...changes };
    const named = await this.#named(before.namespace_id, { name, path, description });
    if (named.name_key !== before.name_key || named.full_path_key !== before.full_path_key)
      await this.#requireFree(before.namespace_id, named, id);
    const update = this.session
      .query('projects')
      .where({ id })
      .update({
        ...named,
        description,
        visibility,
        default_branch: changes.defaultBranch === undefined ? before.default_branch : changes.defaultBranch,
        archived: changes.archived ?? Boolean(before.archived),
        merge_when_pipeline_succeeds: changes.mergeWhenPipelineSucceeds ?? Boolean(before.merge_when_pipeline_succeeds),
        ci_config_path: changes.ciConfigPath === undefined ? before.ci_config_path : changes.ciConfigPath,
        request_access_enabled: changes.requestAccessEnabled ?? Boolean(before.request_access_enabled),
        ...mergeColumns(changes.merging),
        ...featureColumns(changes.features),
        updated_at: this.session.dialect.writeInstant(at),
      });
    await onUniqueViolation(update, REFUSALS);
    await keepFormerPath(this.session, before.full_path, named.full_path, { project_id: id });
    await this.#setTopics(id, changes.topics);
  }

  async move(id: ProjectId, namespaceId: NamespaceId, at: Date): Promise<void> {
    const before = await this.#find(id);
    if (before === undefined) throw new NotFound('Project');
    const { name, path, description } = before;
    const named = await this.#named(namespaceId, { name, path, description });
    await this.#requireFree(namespaceId, named, id);
    const update = this.session
      .query('projects')
      .where({ id })
      .update({
        ...named,
        namespace_id: namespaceId,
        updated_at: this.session.dialect.writeInstant(at),
      });
    await onUniqueViolation(update, REFUSALS);
    await this.session.query('project_group_links').where({ project_id: id }).delete();
    await keepFormerPath(this.session, before.full_path, named.full_path, { project_id: id });
  }

  async requestRemoval(id: ProjectId, at: Date): Promise<boolean> {
    const hidden = await this.session
      .query('projects')
      .where({ id })
      .whereNull('removal_requested_at')
      .update({
        removal_requested_at: this.session.dialect.writeInstant(at),
        full_path_key: this.session.query.raw("full_path_key || '/-/' || id"),
        name_key: this.session.query.raw("name_key || '/-/' || id"),
      });
    return hidden > 0;
  }

  async remove(id: ProjectId): Promise<void> {
    await this.session.query('projects').where({ id }).delete();
  }

  async #setTopics(id: ProjectId, topics: readonly string[] | undefined): Promise<void> {
    if (topics === undefined) return;
    const { query } = this.session;
    await query('project_topics').where({ project_id: id }).delete();
    const rows = topics.map((name, place) => ({ project_id: id, place, name, name_key: searchKey(name) }));
    if (rows.length > 0) await query('project_topics').insert(rows).onConflict(['project_id', 'name_key']).ignore();
  }

  async #named(
    namespaceId: NamespaceId,
    { name, path, description }: Pick<NewProject, 'name' | 'path' | 'description'>,
  ) {
    const namespace = await this.session
      .query('namespaces')
      .where({ id: namespaceId })
      .whereNull('removal_requested_at')
      .first('full_path');
    if (namespace === undefined) throw new NotFound('Namespace');
    const fullPath = `${namespace.full_path}/${path}`;
    return {
      name,
      name_key: searchKey(name),
      path,
      full_path: fullPath,
      full_path_key: searchKey(fullPath),
      search_key: searchKey(name, path, description ?? ''),
    };
  }

  /** @throws Invalid naming all that others have. */
  async #requireFree(
    namespaceId: NamespaceId,
    { name_key, full_path_key }: { readonly name_key: string; readonly full_path_key: string },
    except?: ProjectId,
  ): Promise<void> {
    const named = { namespace_id: namespaceId, name_key };
    const rows = await this.session
      .query('projects')
      .where({ full_path_key })
      .orWhere(named)
      .select('id', 'namespace_id', 'name_key', 'full_path_key');
    const others = rows.filter(({ id }) => id !== except);
    const name = others.some((row) => row.namespace_id === namespaceId && row.name_key === name_key);
    const path =
      others.some((row) => row.full_path_key === full_path_key) ||
      (await isAtPath(this.session, 'namespaces', full_path_key));
    if (name || path) throw new Invalid({ ...(name ? { name: TAKEN } : {}), ...(path ? { path: TAKEN } : {}) });
  }

  async #find(id: ProjectId): Promise<RowOf<'projects'> | undefined> {
    return await this.session.query('projects').where({ id }).whereNull('removal_requested_at').first();
  }
}

/** Those that are given; the others stay. */
const featureColumns = (features: ProjectChanges['features'] = {}) =>
  Object.fromEntries(
    PROJECT_FEATURES.flatMap((feature) =>
      features[feature] === undefined ? [] : [[featureColumn(feature), features[feature]]],
    ),
  );

/** The settings that are given; the others stay. */
const mergeColumns = ({
  method,
  removeSourceBranch,
  autocloseIssues,
  approvalsRequired,
  resetApprovalsOnPush,
  discussionsMustBeResolved,
  squash,
  tellsAfterPush,
}: ProjectChanges['merging'] = {}) => ({
  ...(method === undefined ? {} : { merge_method: method }),
  ...(removeSourceBranch === undefined ? {} : { remove_source_branch_after_merge: removeSourceBranch }),
  ...(autocloseIssues === undefined ? {} : { autoclose_referenced_issues: autocloseIssues }),
  ...(approvalsRequired === undefined ? {} : { approvals_before_merge: approvalsRequired }),
  ...(resetApprovalsOnPush === undefined ? {} : { reset_approvals_on_push: resetApprovalsOnPush }),
  ...(discussionsMustBeResolved === undefined ? {} : { discussions_must_be_resolved: discussionsMustBeResolved }),
  ...(squash === undefined ? {} : { squash_option: squash }),
  ...(tellsAfterPush === undefined ? {} : { printing_merge_request_link_enabled: tellsAfterPush }),
});
