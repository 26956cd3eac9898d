import { MemberReader } from '../archives/members.ts';
import { inflateMember, listZip } from '../archives/zip-archive.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import type { Extraction } from '../types.ts';

/** Previews, best first: of all pages in files from before 2013, otherwise of the first page. */
const PREVIEWS = [
  { path: 'QuickLook/Preview.pdf', type: 'pdf' },
  { path: 'preview.jpg', type: 'jpeg' },
  { path: 'QuickLook/Thumbnail.jpg', type: 'jpeg' },
] as const;

/** Pages, Numbers and Keynote: the preview in the document, because its own format is not published. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder } = input;
  const { members } = await listZip(bytes);
  const match = PREVIEWS.flatMap(({ path, type }) => {
    const member = members.find((file) => file.path === path || file.path.endsWith(`/${path}`));
    return member === undefined ? [] : [{ member, type }];
  })[0];
  if (match === undefined) {
    throw new ExtractionError(
      'unsupported',
      'This document has no preview that could be read. Export it as PDF and upload that.',
    );
  }
  const { member, type } = match;
  const { path } = member;
  const reader = new MemberReader(input);
  reader.spend(member.size);
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const preview = inflateMember(member);
  await reader.readMember({ bytes: preview, path, fileName, type }, { heading: null });
  if (type === 'jpeg') {
    builder.html?.picture(() => preview);
    builder.note(
      'Only the picture of its first page was read. To search all of it, export it as PDF.',
    );
  }
  return builder.finish({});
}
