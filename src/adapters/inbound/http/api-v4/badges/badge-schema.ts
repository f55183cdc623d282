import { Type } from '@sinclair/typebox';
import type { RenderedUrls } from '../../../../../application/badges/render-badges.js';
import { MAX_BADGE_NAME, MAX_BADGE_URL, type Badge, type BadgeFields } from '../../../../../domain/badges/badge.js';
import { component } from '../../openapi/component.js';
import { nullable, text } from '../../validation/parameters.js';

const PREVIEW = {
  name: nullable(Type.String()),
  link_url: Type.String({ description: 'As it was written, with its placeholders' }),
  image_url: Type.String({ description: 'The same for the picture' }),
  rendered_link_url: Type.String({ description: 'With what the placeholders are in the project' }),
  rendered_image_url: Type.String({ description: 'The same for the picture' }),
};

export const BadgePreviewSchema = component('schemas/BadgePreview', Type.Object(PREVIEW));
export const BadgeSchema = component(
  'schemas/Badge',
  Type.Object({ ...PREVIEW, id: Type.Integer(), kind: Type.Union([Type.Literal('project'), Type.Literal('group')]) }),
);

/** An address in a request, where it must be sent. */
export const ADDRESS = text(
  MAX_BADGE_URL,
  'An http or https address, which may have placeholders as `%{project_path}`',
);
export const NAME = Type.Optional(nullable(text(MAX_BADGE_NAME)));

export const presentPreview = ({
  name,
  linkUrl,
  imageUrl,
  renderedLinkUrl,
  renderedImageUrl,
}: BadgeFields & RenderedUrls) => ({
  name,
  link_url: linkUrl,
  image_url: imageUrl,
  rendered_link_url: renderedLinkUrl,
  rendered_image_url: renderedImageUrl,
});

export const presentBadge = (badge: Badge & RenderedUrls) => ({
  ...presentPreview(badge),
  id: badge.id,
  kind: badge.place.kind,
});
