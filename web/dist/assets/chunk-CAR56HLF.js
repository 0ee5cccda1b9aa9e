import{A as e,E as t,Z as r}from"/assets/chunk-KAQYCY6V.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
