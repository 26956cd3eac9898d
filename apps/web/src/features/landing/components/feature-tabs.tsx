import { useId, useRef, useState, type KeyboardEvent } from 'react';
import list from '../../../components/points.module.css';
import { Soon } from '../../../components/soon.tsx';
import { features, type Feature } from './features.tsx';
import classes from './feature-tabs.module.css';
import landing from './landing.module.css';

const last = features.length - 1;

/** Which tab a key leads to from the one at an index, or null for any other key. */
function targetOf(key: string, index: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowRight') return index === last ? 0 : index + 1;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return index === 0 ? last : index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

/** What Engram does, by theme: a list of tabs that arrow keys go through. */
export function FeatureTabs() {
  const [selected, setSelected] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, selected);
    if (target === null) return;
    event.preventDefault();
    setSelected(target);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  };
  return (
    <section aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={landing.heading}>
        A second brain that shows its work
      </h2>
      <div className={classes.columns}>
        <div
          ref={list}
          className={classes.tabs}
          role="tablist"
          aria-orientation="vertical"
          aria-label="Features"
        >
          {features.map(({ name, comingSoon }, index) => (
            <button
              key={name}
              id={`${id}-tab-${index}`}
              className={classes.tab}
              type="button"
              role="tab"
              aria-selected={index === selected}
              aria-controls={`${id}-panel-${index}`}
              tabIndex={index === selected ? 0 : -1}
              onClick={() => setSelected(index)}
              onKeyDown={onKeyDown}
            >
              {name} {comingSoon && <Soon />}
            </button>
          ))}
        </div>
        <div className={classes.panels}>
          {features.map((feature, index) => (
            <div
              key={feature.name}
              id={`${id}-panel-${index}`}
              className={classes.panel}
              role="tabpanel"
              aria-labelledby={`${id}-tab-${index}`}
              aria-hidden={index !== selected}
              tabIndex={index === selected ? 0 : -1}
              data-shown={index === selected || undefined}
            >
              <FeaturePanel feature={feature} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function FeaturePanel({ feature }: { feature: Feature }) {
  const { title, text, points, link, picture } = feature;
  return (
    <>
      <div>
        <h3 className={classes.title}>{title}</h3>
        {text.map((paragraph) => (
          <p key={paragraph} className={classes.text}>
            {paragraph}
          </p>
        ))}
        {points && (
          <ul className={list.points}>
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        )}
        {link && (
          <a className={classes.link} href={link.to} target="_blank" rel="noreferrer">
            {link.label}
          </a>
        )}
      </div>
      {picture && (
        <div className={classes.picture} aria-hidden="true">
          {picture}
        </div>
      )}
    </>
  );
}
