import { Tag } from './tag.tsx';

/** Marks what is not there yet. */
export const Soon = () => <Tag>Coming Soon</Tag>;
