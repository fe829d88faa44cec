/** Which body the stage shows: the mannequin, or a character of the workspace. */
import type { JSX } from "preact";
import { characters, chooseCharacter, coming, hero, heroFile } from "../state/hero";
import { figure } from "../state/store";
import { Menu } from "../ui";

export function CharacterMenu(): JSX.Element {
  const name = hero.value?.name;
  const choose = (file: string | null) => () => {
    if (file) figure.value = "mannequin";
    heroFile.value = file;
  };
  return (
    <Menu
      label={coming.value ? "Character: on its way" : name ? `Character: ${name}` : "Character: none"}
      icon="character"
      items={[
        { label: "Mannequin", checked: !hero.value, run: choose(null) },
        ...characters.value.map((one) => ({ label: one.name, checked: one.file === hero.value?.file, hint: one.file, run: choose(one.file) })),
        null,
        { label: "Add a character…", icon: "upload", hint: "A rigged mesh (GLB, glTF, VRM); or drop it on the stage", run: chooseCharacter },
      ]}
    />
  );
}
