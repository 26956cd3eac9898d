import { keepShared } from '../features/installation/share-inbox.ts';

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/** Stores what another app shares, and redirects to the page for it. */
export async function takeShare(request: Request): Promise<Response> {
  const leadTo = (path: string): Response =>
    Response.redirect(new URL(path, request.url).href, 303);
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    return leadTo('/share/again');
  }
  const files = form.getAll('files').filter((value) => typeof value !== 'string');
  const content = {
    title: textOf(form, 'title'),
    text: textOf(form, 'text'),
    url: textOf(form, 'url'),
    // A form without a file sends an empty one without a name.
    files: files.filter((file) => file.name !== '' || file.size > 0),
  };
  if (content.files.length > 0 || content.title || content.text || content.url) {
    try {
      await keepShared(content, Date.now());
    } catch {
      return leadTo('/share/again?because=room');
    }
  }
  return leadTo('/share');
}
