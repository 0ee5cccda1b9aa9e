import{A as e,E as t,Z as o}from"/assets/chunk-KAQYCY6V.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
