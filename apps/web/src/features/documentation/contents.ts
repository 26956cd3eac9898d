import { sectionsOf } from '../../components/app-text.tsx';
import apiText from './api.md?raw';
import productText from './product.md?raw';

export interface Section {
  id: string;
  title: string;
  text: string;
  children: readonly Section[];
}

const parse = (markdown: string, mark: '# ' | '## ' = '# '): Section[] =>
  sectionsOf(markdown, mark).map(({ id, title, body }) => ({
    id,
    title,
    text: body.split('\n## ', 1)[0] ?? '',
    children: parse(body, '## '),
  }));

export const contents: readonly Section[] = [
  { id: 'the-product', title: 'The product', text: '', children: parse(productText) },
  { id: 'api-documentation', title: 'API Documentation', text: '', children: parse(apiText) },
];

const withChildren = (section: Section): Section[] => [
  section,
  ...section.children.flatMap(withChildren),
];

export const sections: readonly Section[] = contents.flatMap(({ children }) =>
  children.flatMap(withChildren),
);

export const containsSection = (section: Section, id: string): boolean =>
  withChildren(section).some((child) => child.id === id);
