/** All controls. */
export { Button, IconButton, type ButtonProps, type IconButtonProps } from "./button";
export { classes } from "./classes";
export { Checkbox, NumberField, Row, Segmented, Select, Slider, TextField, Toggle, type Option } from "./fields";
export { ExactField } from "./exact";
export { Empty } from "./empty";
export { Icon, type IconName } from "./icon";
export { labelColour } from "./label-colour";
export { Name } from "./name";
export { Dialog, Menu, Tooltip, type MenuItem } from "./overlay";
export { Facts, Notice, Progress, Section } from "./section";
export { Toolbar } from "./toolbar";
export { capital, fileName, parted, sentenceCase } from "./words";
