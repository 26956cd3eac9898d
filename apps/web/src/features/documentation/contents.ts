import apiReference from 'virtual:api-reference';

/** A section of the documentation. Its id is the hash of its address. */
export interface Section {
  id: string;
  title: string;
  children?: readonly Section[];
}

export const contents: readonly (Section & { children: readonly Section[] })[] = [
  {
    id: 'the-product',
    title: 'The product',
    children: [
      { id: 'introduction', title: 'Introduction' },
      { id: 'quick-start', title: 'Quick Start' },
      {
        id: 'how-it-works',
        title: 'How It Works',
        children: [
          { id: 'uploading', title: 'Uploading files' },
          { id: 'reading', title: 'Reading files' },
          { id: 'asking', title: 'Asking questions' },
          { id: 'answers', title: 'Answers and sources' },
          { id: 'following-up', title: 'Following up' },
          { id: 'organizing', title: 'Organizing with keywords' },
          { id: 'history', title: 'History' },
          { id: 'sharing', title: 'Sharing an answer' },
          { id: 'your-data', title: 'Your data' },
        ],
      },
      {
        id: 'developer-tools',
        title: 'Developer Tools',
        children: [
          { id: 'api-key-generation', title: 'API Key Generation' },
          { id: 'typescript-sdk', title: 'TypeScript SDK' },
          { id: 'python-sdk', title: 'Python SDK' },
          { id: 'mcp', title: 'Assistants (MCP)' },
          { id: 'connectors', title: 'Connectors' },
        ],
      },
      { id: 'pricing', title: 'Pricing' },
    ],
  },
  {
    id: 'api-documentation',
    title: 'API Documentation',
    children: [{ id: 'get-started', title: 'Get Started' }, ...apiReference],
  },
];

const withChildren = (section: Section): Section[] => [
  section,
  ...(section.children ?? []).flatMap(withChildren),
];

/** All sections in the order of the page, without the groups. */
export const sections: readonly Section[] = contents.flatMap(({ children }) =>
  children.flatMap(withChildren),
);

/** Whether a section is, or contains, the one with an id. */
export const holds = (section: Section, id: string): boolean =>
  withChildren(section).some((one) => one.id === id);
