import { Type } from '@sinclair/typebox';
import type { NoteWithAuthor, StoredSuggestion } from '../../../../../application/collaboration/ports/note-ports.js';
import { whyNotAppliable } from '../../../../../domain/collaboration/suggestion.js';
import { component } from '../../openapi/component.js';

export const SuggestionSchema = component(
  'schemas/Suggestion',
  Type.Object({
    id: Type.Integer(),
    from_line: Type.Integer(),
    to_line: Type.Integer(),
    appliable: Type.Boolean({ description: 'Whether it can be applied as things stand' }),
    applied: Type.Boolean(),
    from_content: Type.String({ description: 'What it replaces' }),
    to_content: Type.String({ description: 'By what' }),
  }),
);

export const presentSuggestion = (
  { place }: Pick<NoteWithAuthor, 'place'>,
  suggestion: StoredSuggestion,
  taken: boolean,
) => {
  const line = place?.position.newLine ?? 0;
  return {
    id: suggestion.id,
    from_line: Math.max(line - suggestion.above, 1),
    to_line: line + suggestion.below,
    appliable: taken && whyNotAppliable(suggestion, place) === undefined,
    applied: suggestion.commitSha !== null,
    from_content: suggestion.replaced,
    to_content: suggestion.content,
  };
};
