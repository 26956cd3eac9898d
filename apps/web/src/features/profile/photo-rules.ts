import { PHOTO_LIMIT } from '@engram/contract/browser';

export const PHOTO_TYPES = ['image/jpeg', 'image/png'] as const;

/** Why a picture would be refused, as a sentence; null where it would be taken. */
export function refusePhoto(file: File | null): string | null {
  if (!file) return 'Please select an image to upload.';
  if (!PHOTO_TYPES.some((type) => type === file.type)) {
    return 'Invalid file format. Please select a JPG or PNG image.';
  }
  return file.size > PHOTO_LIMIT ? 'File size exceeds 2MB. Please select a smaller image.' : null;
}
