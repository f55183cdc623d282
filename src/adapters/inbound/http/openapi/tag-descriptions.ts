/** What each tag is about, in the order in which pages of documentation show them. */
const TAGS: Readonly<Record<string, string>> = {
  Users: 'People: who is there, and what administrators do to their accounts',
  'E-mail addresses': 'The addresses of the caller',
  'Personal access tokens': 'Tokens that people make for themselves',
  'SSH keys': 'Keys with which people reach repositories over SSH',
  'Deploy keys': 'Keys with which machines reach the repositories of projects over SSH',
  'Deploy tokens': 'Tokens with which machines fetch from repositories over HTTP',
  OAuth2: 'Tokens for applications: authorization, token, introspection, revocation, discovery, OpenID Connect',
  Applications: 'Applications that ask people for access',
  Groups: 'Groups, which hold projects and other groups',
  'Group members': 'Who is a member of a group, and with which access level',
  Projects: 'Projects: create, change, move and remove them',
  'Project members': 'Who is a member of a project, and with which access level',
  Repositories: 'The code of a project: trees, blobs, archives, comparisons',
  'Repository files': 'Files of a repository, by their paths',
  Commits: 'Commits: what they changed, and what people say of them',
  Branches: 'Branches of a repository',
  Tags: 'Tags of a repository',
  'Protected branches': 'Who may push to which branches, and merge into them',
  'Protected tags': 'Who may make which tags',
  Releases: 'Tags that people are told of, with what belongs to them',
  Issues: 'Issues and incidents',
  Notes: 'Comments on what people talk about',
  Discussions: 'Comments with the answers to them',
  'Award emoji': 'Emoji that people give to what others wrote',
  Subscriptions: 'Who is mailed about what people talk about',
  Labels: 'Labels of a project',
  'Merge request approvals': 'Who stands behind a merge request, and how many its project asks for',
  'Merge requests': 'Changes that are to be merged from one branch into another, over forks too',
  Milestones: 'Milestones of a project, and the issues that are planned for them',
  Alerts: 'Alerts that monitoring has sent, and their status',
  'Alert integrations': 'Where monitoring sends alerts, its keys, and the log of what was sent',
  'Error tracking': 'The error tracker of a project',
  Snippets: 'Pieces of text that people keep and show around, of their own or of a project',
  Webhooks: 'Where what happens in a project is sent to, and the log of what was sent',
  Events: 'What people did, as far as the caller may see it',
  'Notification settings': 'What people are mailed about, everywhere, in a group or in a project',
  Search:
    'Projects, issues, merge requests, milestones, snippets, comments, commits, lines of files and users, by a part of their text',
  Templates: 'Files to begin with: licenses, .gitignore files, CI files and Dockerfiles',
  Version: 'Which version answers, what changed since version 3, and this document',
};

/** Those of these names, with their descriptions. */
export const presentTags = (
  used: ReadonlySet<string>,
): readonly { readonly name: string; readonly description: string }[] =>
  Object.entries(TAGS).flatMap(([name, description]) => (used.has(name) ? { name, description } : []));
