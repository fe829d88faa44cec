/** All controls. */
export { Button, IconButton, type ButtonProps, type IconButtonProps } from "./button";
export { classes } from "./classes";
export { Checkbox, NumberField, Row, Segmented, Select, Slider, TextField, Toggle, type Option } from "./fields";
export { Empty } from "./empty";
export { Icon, type IconName } from "./icon";
export { Dialog, Menu, Tooltip, type MenuItem } from "./overlay";
export { Facts, Notice, Progress, Section } from "./section";
export { capital, fileName, sentenceCase } from "./words";
